#!/bin/sh
# Runs once in an empty PostgreSQL container: the role that owns the tables, and the one of the services.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
    --set=owner="$(cat /run/secrets/owner_password)" --set=app="$(cat /run/secrets/app_password)" <<'SQL'
CREATE ROLE puur_owner LOGIN PASSWORD :'owner';
CREATE ROLE puur_app LOGIN PASSWORD :'app';
CREATE DATABASE puur OWNER puur_owner;
SQL
