"""Operations on a championship. Each function checks, writes and records in one transaction."""
