"""Failed jobs say why in the reader's language."""

import pytest
from django.utils.translation import override

from engine import Refused
from frontend.presenters.clubs.outside_championships import describe_file_refusal
from frontend.presenters.site.jobs import job_view
from frontend.presenters.words.errors import NOT_POSSIBLE, stored_error_text
from frontend.presenters.words.refusals import refusal_sentence
from tests.frontend.evening import person
from tournaments import jobs
from tournaments.errors import TournamentError, describe_for_storage
from tournaments.models import Entry, Job, OutsideEvent
from tournaments.services.championships import championships
from tournaments.services.draw import drawing
from tournaments.services.entries import entries


@pytest.mark.django_db
def test_a_failed_draw_says_why_in_the_language_of_the_reader() -> None:
    fredi = person("fredi")
    fredi.may_found = True
    made = championships.create(actor=fredi, name="Herbstcup", preset="partnerschieber")
    names = ("Anna", "Beat", "Chiara", "Dario")
    entries.add_entries(made, [entries.NewEntry(name) for name in names], actor=fredi)
    Entry.objects.filter(championship=made).update(status=Entry.Status.ARRIVED)
    job = jobs.start_job(Job.Kind.DRAW, made.rounds.get(number=1), actor=fredi)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (Job.State.FAILED, "draw/no_partner")
    with override("en"):
        assert job_view(job).sentence.startswith("Present without a present partner: Anna")
        with pytest.raises(TournamentError) as refused:
            drawing.draw_round(made.rounds.get(number=1), actor=fredi)
        assert "Form pairs at the desk" in refusal_sentence(refused.value)
    with override("de"):
        said = job_view(job).sentence
    assert "Anna" in said
    assert "Present" not in said


@pytest.mark.django_db
def test_a_file_refused_without_a_translated_sentence_shows_none_in_english() -> None:
    refusal = Refused("the sandbox is full", code="sandbox/full")
    file = OutsideEvent(
        state=OutsideEvent.State.FAILED, message=refusal.code, message_params=describe_for_storage(refusal)
    )
    for language, said in (("en", "the sandbox is full"), ("de", None)):
        with override(language):
            shown = describe_file_refusal(file)
            assert shown is not None
            assert shown["sentence"] == (said or str(NOT_POSSIBLE))


def test_a_refusal_stored_by_an_earlier_version_is_still_translated() -> None:
    sentence = "People present: %(here)s; a table needs %(size)s."
    with override("de"):
        said = stored_error_text("draw/too_few", {"sentence": sentence, "here": 3, "size": 4})
    assert said.startswith("Anwesend: 3; ein Tisch braucht 4.")
