"""Push notices: subscribed phones learn a person's seat by web push (RFC 8030, 8188, 8291, 8292).

`subscriptions` stores the phones, `occasions` creates notices, `delivery` sends them; below, `keys` signs,
`message_encryption` encrypts, `endpoints` and `addresses` validate, `webpush_client` talks to push services.
"""
