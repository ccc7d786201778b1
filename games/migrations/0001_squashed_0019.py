"""Create all tables at once in a new database. An older database runs the migrations 0001 to 0019, which this
migration replaces.
"""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
import games.ids
from django.conf import settings
from django.db import migrations, models

from games.store.fresh_tables import CreateTables


class Migration(migrations.Migration):

    initial = True

    replaces = [
        ('games', '0001_initial'),
        ('games', '0002_checkpoints'),
        ('games', '0003_sides_of_a_game'),
        ('games', '0004_hands_that_wait'),
        ('games', '0005_a_look_is_at_one_deal'),
        ('games', '0006_seed_of_a_game'),
        ('games', '0007_closed_secrets'),
        ('games', '0008_who_may_found'),
        ('games', '0009_sessions_by_hash'),
        ('games', '0010_heartbeats'),
        ('games', '0011_results_as_paper_brings_them'),
        ('games', '0012_ruled_sweep'),
        ('games', '0013_guest_tables'),
        ('games', '0014_estimates'),
        ('games', '0015_shown_late'),
        ('games', '0016_guest_names'),
        ('games', '0017_clocks_that_wait'),
        ('games', '0018_deadlines_without_payload'),
        ('games', '0019_streams_of_series'),
    ]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        CreateTables([
            migrations.CreateModel(
                name='Heartbeat',
                fields=[
                    ('host', models.CharField(max_length=100, primary_key=True, serialize=False)),
                    ('boot', models.CharField(max_length=40)),
                    ('at', models.DateTimeField()),
                    ('monotonic', models.FloatField()),
                    ('jump', models.FloatField(default=0)),
                    ('jumped_at', models.DateTimeField(null=True)),
                ],
            ),
            migrations.CreateModel(
                name='Stream',
                fields=[
                    ('id', models.CharField(default=games.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                    ('kind', models.CharField(choices=[('game', 'Game'), ('round', 'Round'), ('championship', 'Championship'), ('series', 'Series')], max_length=12)),
                    ('head_seq', models.IntegerField()),
                    ('head_hash', models.BinaryField(max_length=32)),
                ],
            ),
            migrations.CreateModel(
                name='User',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('password', models.CharField(max_length=128, verbose_name='password')),
                    ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                    ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                    ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                    ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                    ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                    ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                    ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                    ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                    ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                    ('may_found', models.BooleanField(default=False)),
                    ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                    ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ],
                options={
                    'verbose_name': 'user',
                    'verbose_name_plural': 'users',
                    'abstract': False,
                },
                managers=[
                    ('objects', django.contrib.auth.models.UserManager()),
                ],
            ),
            migrations.CreateModel(
                name='SecretPart',
                fields=[
                    ('pk', models.CompositePrimaryKey('stream_id', 'seq', 'name', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('seq', models.IntegerField()),
                    ('name', models.CharField(max_length=40)),
                    ('key', models.CharField(max_length=12)),
                    ('closed', models.BinaryField()),
                    ('stream', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.stream')),
                ],
            ),
            migrations.CreateModel(
                name='Game',
                fields=[
                    ('id', models.CharField(default=games.ids.new_id, editable=False, max_length=32, primary_key=True, serialize=False)),
                    ('variant', models.CharField(max_length=40)),
                    ('preset', models.CharField(blank=True, default='', max_length=40)),
                    ('mode', models.CharField(choices=[('dealt', 'Dealt'), ('transcribed', 'Transcribed'), ('sheet', 'Sheet')], max_length=12)),
                    ('seat_count', models.PositiveSmallIntegerField()),
                    ('options', models.JSONField(default=dict)),
                    ('number', models.PositiveIntegerField(default=1)),
                    ('seed_seq', models.PositiveIntegerField(default=0)),
                    ('visibility', models.CharField(choices=[('private', 'Private'), ('played', 'Played'), ('after_deal', 'After Deal')], default='played', max_length=10)),
                    ('hands_wait_deals', models.PositiveSmallIntegerField(default=0)),
                    ('hands_wait_minutes', models.PositiveSmallIntegerField(default=0)),
                    ('deal_pause', models.FloatField(default=0)),
                    ('turn_seconds', models.PositiveIntegerField(blank=True, null=True)),
                    ('delay_minutes', models.PositiveSmallIntegerField(default=0)),
                    ('clock_waits', models.BooleanField(default=False)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('status', models.CharField(choices=[('waiting', 'Waiting'), ('running', 'Running'), ('ended', 'Ended'), ('closed', 'Closed')], default='waiting', max_length=8)),
                    ('phase', models.CharField(default='start', max_length=20)),
                    ('deal', models.PositiveIntegerField(default=0)),
                    ('trick', models.PositiveSmallIntegerField(default=0)),
                    ('turn_seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('turn_seq', models.IntegerField(default=-1)),
                    ('head_seq', models.IntegerField(default=-1)),
                    ('totals', models.JSONField(default=list)),
                    ('sides', models.JSONField(default=list)),
                    ('winners', models.JSONField(blank=True, null=True)),
                    ('last_event_at', models.DateTimeField(blank=True, null=True)),
                    ('ahead_seq', models.IntegerField(blank=True, null=True)),
                    ('ahead', models.JSONField(blank=True, null=True)),
                    ('round_stream', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='games.stream')),
                ],
            ),
            migrations.CreateModel(
                name='Event',
                fields=[
                    ('pk', models.CompositePrimaryKey('stream_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('seq', models.IntegerField()),
                    ('type', models.CharField(max_length=40)),
                    ('envelope', models.BinaryField()),
                    ('hash', models.BinaryField(max_length=32)),
                    ('stream', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='games.stream')),
                ],
            ),
            migrations.CreateModel(
                name='Deadline',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(max_length=40)),
                    ('due_at', models.DateTimeField(db_index=True)),
                    ('guard_seq', models.IntegerField(blank=True, null=True)),
                    ('stream', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='deadlines', to='games.stream')),
                ],
            ),
            migrations.CreateModel(
                name='Checkpoint',
                fields=[
                    ('pk', models.CompositePrimaryKey('stream_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('number', models.PositiveIntegerField()),
                    ('body', models.BinaryField()),
                    ('signature', models.BinaryField(max_length=64)),
                    ('heads', models.BinaryField()),
                    ('made_at', models.DateTimeField()),
                    ('stream', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='checkpoints', to='games.stream')),
                ],
            ),
            migrations.CreateModel(
                name='TableToken',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('digest', models.CharField(max_length=64, unique=True)),
                    ('role', models.CharField(choices=[('seat', 'seat'), ('scorer', 'scorer')], max_length=10)),
                    ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('ref', models.CharField(default=games.ids.new_id, max_length=32)),
                    ('uses_left', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('expires_at', models.DateTimeField(blank=True, null=True)),
                    ('revoked_at', models.DateTimeField(blank=True, null=True)),
                    ('created_at', models.DateTimeField(auto_now_add=True)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='games.game')),
                ],
            ),
            migrations.CreateModel(
                name='GuestTable',
                fields=[
                    ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='guest_table', serialize=False, to='games.game')),
                    ('name', models.CharField(blank=True, default='', max_length=40)),
                    ('token', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='games.tabletoken')),
                ],
            ),
            migrations.CreateModel(
                name='DealResult',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('deal', models.PositiveIntegerField()),
                    ('card_points', models.JSONField(null=True)),
                    ('scores', models.JSONField(null=True)),
                    ('counted', models.JSONField(null=True)),
                    ('confirmed', models.BooleanField(default=False)),
                    ('annulled', models.BooleanField(default=False)),
                    ('sweep', models.PositiveSmallIntegerField(null=True)),
                    ('ruled_sweep', models.PositiveSmallIntegerField(null=True)),
                    ('stoeck', models.PositiveSmallIntegerField(null=True)),
                    ('sweeps', models.JSONField(null=True)),
                    ('stoecks', models.JSONField(null=True)),
                    ('by_desk', models.BooleanField(default=False)),
                    ('witness', models.CharField(blank=True, default='', max_length=16)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='games.game')),
                ],
                options={
                    'ordering': ['game', 'deal'],
                    'constraints': [models.UniqueConstraint(fields=('game', 'deal'), name='games_result_once')],
                },
            ),
            migrations.CreateModel(
                name='DealEstimate',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('sent_at', models.DateTimeField(blank=True, null=True)),
                    ('beat_at', models.DateTimeField(blank=True, null=True)),
                    ('tries', models.PositiveSmallIntegerField(default=0)),
                    ('ended_at', models.DateTimeField(blank=True, null=True)),
                    ('deal', models.PositiveIntegerField()),
                    ('seq', models.IntegerField()),
                    ('seen', models.PositiveSmallIntegerField(default=0)),
                    ('gains', models.JSONField(default=list)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='estimates', to='games.game')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('game', 'deal', 'seq'), name='games_estimate_once')],
                },
            ),
            migrations.CreateModel(
                name='Access',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('role', models.CharField(choices=[('seat', 'Seat'), ('scorer', 'Scorer'), ('spectator', 'Spectator'), ('referee', 'Referee'), ('director', 'Director')], max_length=10)),
                    ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                    ('tier', models.CharField(blank=True, choices=[('played', 'Played'), ('after_deal', 'After Deal')], default='', max_length=10)),
                    ('opened_deal', models.PositiveIntegerField(blank=True, null=True)),
                    ('ref', models.CharField(default=games.ids.new_id, max_length=32)),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accesses', to=settings.AUTH_USER_MODEL)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accesses', to='games.game')),
                ],
                options={
                    'indexes': [models.Index(fields=['user', 'game'], name='games_access_user')],
                    'constraints': [models.UniqueConstraint(fields=('game', 'user', 'role', 'seat'), name='games_access_once_seat'), models.UniqueConstraint(condition=models.Q(('seat__isnull', True)), fields=('game', 'user', 'role'), name='games_access_once'), models.CheckConstraint(condition=models.Q(models.Q(('role', 'seat'), _negated=True), ('seat__isnull', False), _connector='OR'), name='games_access_seat_has_number')],
                },
            ),
            migrations.CreateModel(
                name='Seat',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.PositiveSmallIntegerField()),
                    ('player_ref', models.CharField(max_length=32)),
                    ('bot', models.CharField(blank=True, default='', max_length=40)),
                    ('bot_pace', models.FloatField(default=1.0)),
                    ('came_at', models.DateTimeField(blank=True, null=True)),
                    ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.game')),
                ],
                options={
                    'ordering': ['game', 'number'],
                    'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='games_seat_once')],
                },
            ),
            migrations.CreateModel(
                name='Receipt',
                fields=[
                    ('pk', models.CompositePrimaryKey('stream_id', 'command_id', blank=True, editable=False, primary_key=True, serialize=False)),
                    ('command_id', models.CharField(max_length=64)),
                    ('key', models.CharField(max_length=12)),
                    ('closed', models.BinaryField()),
                    ('first_seq', models.IntegerField()),
                    ('count', models.IntegerField()),
                    ('stream', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.stream')),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(('count__gte', 0)), name='games_receipt_count')],
                },
            ),
            migrations.AddIndex(
                model_name='game',
                index=models.Index(fields=['status', '-last_event_at'], name='games_game_status'),
            ),
            migrations.AddConstraint(
                model_name='deadline',
                constraint=models.UniqueConstraint(fields=('stream', 'kind'), name='games_deadline_once'),
            ),
            migrations.AddIndex(
                model_name='checkpoint',
                index=models.Index(fields=['stream', 'made_at'], name='games_checkpoint_when'),
            ),
            migrations.AddConstraint(
                model_name='tabletoken',
                constraint=models.CheckConstraint(condition=models.Q(models.Q(('role', 'seat'), _negated=True), ('seat__isnull', False), _connector='OR'), name='games_token_seat_has_number'),
            ),
        ]),
    ]
