"""Pages: views, templates, scripts, styles, translations. README.md in this folder tells where a page is.

`views` respond to requests; `presenters` prepare the data of `templates`; `forms` check input.
`src` is the TypeScript of pages, of the service worker and of the browser's verifier.
`styles` and `src` are built into `static`; `generated` writes the types that scripts and server share.
`decks` draws the cards; `rules` are the rules of the games as texts for players; `help` is the help panels.
`prints` makes PDF; `sharing` makes embedded pages, link previews and calendars.
`static_export` copies a finished championship to static pages.
`fragment_cache` and `edge_cache` cache parts of pages.
"""
