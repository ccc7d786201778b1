"""Data of pages, prepared for templates: words, tones, links. Presenters read the layers below and never
write.
"""
