-- Grants of the running platform: everything on its tables, except changing or deleting rows of the log.
-- Run as the owner of the tables (the role that migrates), after every migrate; idempotent:
--
--     psql --set=ON_ERROR_STOP=1 --set=app=puur_app --file=deploy/postgresql/grants.sql puur
--
-- Roles, once:  CREATE ROLE puur_owner LOGIN;  CREATE ROLE puur_app LOGIN;  CREATE DATABASE puur OWNER puur_owner;

BEGIN;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM :"app";
REVOKE CREATE ON SCHEMA public FROM PUBLIC, :"app";
-- It may create no tables, not even temporary ones, which could shadow ours by name.
REVOKE CREATE, TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC, :"app";
ALTER DATABASE :"DBNAME" SET search_path = public, pg_temp;
GRANT USAGE ON SCHEMA public TO :"app";
-- SELECT: `manage.py backup` as this role reads where each sequence stands.
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO :"app";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"app";

-- The log: insert and select only. Triggers refuse the rest too; the grants still hold without the triggers.
REVOKE UPDATE, DELETE, TRUNCATE ON games_event, games_secretpart, games_receipt, games_checkpoint FROM :"app";
-- The head of a stream moves forward; its kind and its name do not change.
REVOKE UPDATE, DELETE, TRUNCATE ON games_stream FROM :"app";
GRANT UPDATE (head_seq, head_hash) ON games_stream TO :"app";
-- Only the owner may change the list of applied migrations.
REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM :"app";
COMMIT;
