-- What the running platform may do: everything with its tables, except change or remove what the log holds.
-- As the owner of the tables (the role that migrates), after every migrate; it may be run as often as one likes:
--
--     psql --set=ON_ERROR_STOP=1 --set=app=puur_app --file=deploy/postgresql/grants.sql puur
--
-- Roles, once:  CREATE ROLE puur_owner LOGIN;  CREATE ROLE puur_app LOGIN;  CREATE DATABASE puur OWNER puur_owner;

BEGIN;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM :"app";
REVOKE CREATE ON SCHEMA public FROM PUBLIC, :"app";
-- No tables of its own, not even temporary ones: they would be taken for ours, whose names they can bear.
REVOKE CREATE, TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC, :"app";
ALTER DATABASE :"DBNAME" SET search_path = public, pg_temp;
GRANT USAGE ON SCHEMA public TO :"app";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO :"app";
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"app";

-- The log: facts are added and read. Triggers refuse the rest too; this holds where somebody drops a trigger.
REVOKE UPDATE, DELETE, TRUNCATE ON games_event, games_secretpart, games_receipt, games_checkpoint FROM :"app";
-- A stream's end moves forward; its kind and its name stay.
REVOKE UPDATE, DELETE, TRUNCATE ON games_stream FROM :"app";
GRANT UPDATE (head_seq, head_hash) ON games_stream TO :"app";
-- Which migrations ran is the owner's to say.
REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM :"app";
COMMIT;
