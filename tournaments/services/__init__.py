"""Operations on championships and series. Each operation checks permissions, writes rows and records events
in one transaction.
"""
