"""What pages, bots and clients ask of a state: snapshot, reasons, forms, descriptions of the games."""
