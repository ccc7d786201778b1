"""Notices: a phone that asked for it is told where somebody sits, by web push (RFC 8030, 8188, 8291, 8292).

`subscriptions` who is told, `occasions` when there is something to tell, `telling` how it is sent; below
them `keys` signs, `closed_message` closes, `endpoints` and `addresses` refuse, `posting` speaks with a push
service.
"""
