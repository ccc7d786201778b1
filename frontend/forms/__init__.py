"""Forms. They check input as far as possible without services; services check the rest and refuse with
codes.
"""
