"""/metrics: the metrics of this web process for Prometheus, readable on this machine and with the metrics
token.

Each web process reports its own metrics, with its number in the label `process`, and those of the
installation: workers, beat, queue, backups. Label values never come from users.
"""

from collections.abc import Iterable, Iterator

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from deploy import worker_figures
from deploy.doctor import backups, seals, services
from deploy.limits import hashing
from deploy.limits.connections import BoundedHttp
from deploy.limits.lanes import Lanes
from deploy.observability.insiders import is_insider
from deploy.process_tree import worker_ids
from games.live import hub_registry, socket_slots
from games.messaging import redis_client
from games.monitoring import condition, counters, work_counts


@require_safe
@never_cache
def exposition(request: HttpRequest) -> HttpResponse:
    """Return the metrics to insiders. Others get 404."""
    if not is_insider(request):
        return HttpResponseNotFound("there is nothing here\n", content_type="text/plain")
    registry = CollectorRegistry()
    registry.register(Figures())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Figures(Collector):
    """The collector of all metrics."""

    def describe(self) -> Iterable[Metric]:
        """Return nothing, because the metrics are known only when they are collected."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield each metric; those of this process have its number as a label."""
        process = str(worker_ids.get_process_number())
        for family in (*_counter_metrics(), *_gauge_metrics(), *_condition_metrics(), *_system_metrics()):
            family.samples = [
                sample._replace(labels={**sample.labels, "process": process}) for sample in family.samples
            ]
            yield family
        yield from _worker_metrics()
        yield from _installation_metrics()


def _counter_metrics() -> Iterator[Metric]:
    yield _make_histogram(
        "puur_request_seconds", "Requests until their answer.", ["lane", "status"], counters.requests
    )
    yield _make_histogram(
        "puur_command_seconds", "Commands until they are stored.", ["way", "outcome"], counters.commands
    )
    refused = counters.refusals
    yield _make_counter("puur_turned_away", "Who was told to come again.", ["lane", "code"], refused)
    yield _make_counter("puur_frames", "Frames written to sockets.", [], counters.frames)
    yield _make_counter("puur_resyncs", "Sockets told to read again, or let go.", ["why"], counters.resyncs)


def _make_histogram(name: str, text: str, labels: list[str], times: counters.Histogram) -> Metric:
    family = HistogramMetricFamily(name, text, labels=labels)
    ends = [*map(str, counters.BUCKET_LIMITS), "+Inf"]
    for values, (row, total) in sorted(times.now().items()):
        so_far = [sum(row[: at + 1]) for at in range(len(row))]
        family.add_metric(values, list(zip(ends, map(float, so_far), strict=True)), total)
    return family


def _make_counter(name: str, text: str, labels: list[str], tally: counters.LabelledCount) -> Metric:
    family = CounterMetricFamily(name, text, labels=labels)
    for values, so_often in sorted(tally.now().items()):
        family.add_metric(values, so_often)
    return family


def _gauge_metrics() -> Iterator[Metric]:
    waiting = GaugeMetricFamily("puur_waiting", "Requests that wait in line.", labels=["lane"])
    at_work = GaugeMetricFamily("puur_at_work", "Requests that have a thread.", labels=["lane"])
    for lane in Lanes.current.all() if Lanes.current else ():
        waiting.add_metric([lane.name], lane.waiting)
        at_work.add_metric([lane.name], lane.at_work)
    yield waiting
    yield at_work
    yield GaugeMetricFamily("puur_passwords_at_work", "Passwords hashed now.", hashing.at_work())
    connections = BoundedHttp.current.total if BoundedHttp.current else 0
    yield GaugeMetricFamily("puur_http_connections", "Plain connections that are open.", connections)
    yield GaugeMetricFamily("puur_sockets", "Sockets of live tables.", socket_slots.client_slots.all())
    yield GaugeMetricFamily("puur_watched_games", "Games that somebody watches.", hub_registry.count_hubs())
    yield from _list_pool_metrics()


def _list_pool_metrics() -> Iterator[Metric]:
    if not connection.settings_dict["OPTIONS"].get("pool"):
        return
    stats = connection.pool.get_stats()  # type: ignore[attr-defined]  # only the connection to PostgreSQL has it
    size, free = stats.get("pool_size", 0), stats.get("pool_available", 0)
    yield GaugeMetricFamily("puur_pool_size", "Connections to the database.", size)
    yield GaugeMetricFamily("puur_pool_in_use", "Of these, at work.", size - free)
    waiting = stats.get("requests_waiting", 0)
    yield GaugeMetricFamily("puur_pool_waiting", "Threads that wait for one.", waiting)


def _condition_metrics() -> Iterator[Metric]:
    found = {trouble.code: trouble.figure for trouble in condition.recent_troubles()}
    trouble = GaugeMetricFamily("puur_trouble", "1: this is wrong now.", labels=["code"])
    for code in condition.CODES:
        trouble.add_metric([code], float(code in found))
    yield trouble
    if "condition/database_away" in found:
        return  # the other figures are unknown then
    overdue = found.get("condition/overdue", 0)
    yield GaugeMetricFamily("puur_overdue_deadlines", "Due for more than ten seconds.", overdue)
    silence = condition.worker_silence_seconds()
    if silence is not None:
        yield GaugeMetricFamily("puur_worker_silence_seconds", "Since a worker's last sign of life.", silence)


def _worker_metrics() -> Iterator[Metric]:
    """Yield the metrics of workers, with `worker@host` in the label `process`, and of their tasks."""
    labels = ["process"]
    up = GaugeMetricFamily("puur_processes", "Processes beside the web that live.", labels=["process"])
    cpu = CounterMetricFamily("puur_process_cpu_seconds", "Processor time of these.", labels=labels)
    memory = GaugeMetricFamily(
        "puur_process_memory_bytes", "Memory of these, shared included.", labels=labels
    )
    grouped: dict[str, list[worker_figures.ProcessReport]] = {}
    for report in worker_figures.load_reports():
        grouped.setdefault(f"{report.kind}@{report.host}", []).append(report)
    for process, reports in grouped.items():
        up.add_metric([process], len(reports))
        cpu.add_metric([process], sum(report.cpu_seconds for report in reports))
        memory.add_metric([process], sum(report.memory_bytes for report in reports))
    yield from (up, cpu, memory)
    tasks = HistogramMetricFamily("puur_task_seconds", "Tasks of workers.", labels=["task", "outcome"])
    for (task, outcome), counts in sorted(work_counts.load_task_counts().items()):
        so_far = [float(sum(counts.buckets[: at + 1])) for at in range(len(counts.buckets))]
        tasks.add_metric(
            [task, outcome], list(zip(work_counts.BUCKET_LABELS, so_far, strict=True)), counts.seconds
        )
    yield tasks


def _installation_metrics() -> Iterator[Metric]:
    """Yield the length of the queue, and the ages of backup and seal if they are known."""
    messages = redis_client.ask_redis(lambda redis: redis.llen(settings.CELERY_TASK_DEFAULT_QUEUE), None)
    if messages is not None:
        yield GaugeMetricFamily("puur_queue_messages", "Messages that wait for a worker.", int(messages))
    try:
        waiting = services.measure_oldest_job_age()
        unsealed = seals.measure_unsealed_age()
    except DatabaseError:
        return  # puur_trouble says so
    yield GaugeMetricFamily(
        "puur_oldest_job_seconds", "Since the oldest waiting job.", waiting.total_seconds()
    )
    yield GaugeMetricFamily(
        "puur_unsealed_seconds", "Since the oldest unsealed event.", unsealed.total_seconds()
    )
    for name, text, age in (
        ("puur_backup_age_seconds", "Since the last backup.", backups.compute_backup_age("last_backup")),
        ("puur_test_restore_age_seconds", "Since its test.", backups.compute_backup_age("last_test_restore")),
    ):
        if age is not None:
            yield GaugeMetricFamily(name, text, age.total_seconds())


def _system_metrics() -> Iterator[Metric]:
    """Yield version, CPU time, memory and open files of this process."""
    build = GaugeMetricFamily("puur_build_info", "The version of Puur.", labels=["version"])
    build.add_metric([settings.VERSION], 1)
    yield build
    yield from ProcessCollector(registry=None).collect()
