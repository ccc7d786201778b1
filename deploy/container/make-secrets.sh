#!/bin/sh
# Makes the secrets of compose.full.yaml in deploy/container/secrets, once. Keep a copy of the folder elsewhere.
set -eu
cd "$(dirname "$0")"
umask 077
if [ -e secrets ]; then
    echo "deploy/container/secrets is there already: nothing is changed" >&2
    exit 1
fi
mkdir secrets
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
for name in postgres_password owner_password app_password secret_key metrics_token; do
    random >"secrets/$name"
done
for role in owner app; do
    printf 'postgresql://puur_%s:%s@db/puur' "$role" "$(cat "secrets/${role}_password")" >"secrets/database_url_$role"
done
# The containers run as other users than you; the folder itself stays closed to others on this machine.
chmod 644 secrets/*
echo "made deploy/container/secrets"
