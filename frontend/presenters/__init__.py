"""What pages show, made ready for templates: words, tones, links. Reads the layers below, never writes."""
