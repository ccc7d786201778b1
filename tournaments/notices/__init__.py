"""Push notices: web push (RFC 8030, 8188, 8291, 8292) shows a person's seat on subscribed phones.

`subscriptions` stores the phones, `occasions` creates notices, `rendering` words them, `marking` claims and
ends them, `delivery` sends them. `keys` signs, `message_encryption` encrypts, `endpoints` and `addresses`
validate, and `webpush_client` talks to push services.
"""
