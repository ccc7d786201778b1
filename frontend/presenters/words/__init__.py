"""Words and numbers of all pages: sentences of errors and of scripts, words for codes, dates, figures."""
