"""A command on its way: from who sends it to what is stored, and the state it is decided on."""
