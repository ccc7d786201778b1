"""Send an official's command from outside a page: `python -m tests.e2e.send GAME COMMAND` in a live tree."""

import json
import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
django.setup()

from games.ids import new_id
from games.play import submit

done = submit.submit(sys.argv[1], json.loads(sys.argv[2]), actor="f" * 32, command_id=new_id())
print(json.dumps({"seq": done.last_seq}))
