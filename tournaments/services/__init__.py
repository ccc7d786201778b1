"""Operations on championships and series: an operation checks permissions, writes rows and records events in
one transaction.
"""
