"""Pages on a slow phone, in a real browser: layout shift, and time of the largest paint."""

import tempfile
from pathlib import Path

from tests import browsers
from tests import live_tree as trees
from tests.bench._load_figures import say
from tests.e2e import slow_phone

SHIFT = 0.05


def on_a_phone() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="puur-phone-") as folder,
        trees.running("serve", Path(folder), empty=True) as tree,
        browsers.chromium() as browser,
    ):
        hall = slow_phone.hall(tree)
        with slow_phone.slow_phone(browser, hall.url) as page:
            for shown in hall.pages():
                moved = slow_phone.open_page(page, hall.url, shown)
                say(f"pages/slow phone/{shown.name}, shift", moved, SHIFT)
                say(f"pages/slow phone/{shown.name}, largest paint, ms", page.evaluate("painted()"), None)
