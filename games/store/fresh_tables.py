"""A migration operation that creates all tables of an app in their final form."""

from collections.abc import Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.operations.models import CreateModel
from django.db.migrations.state import ProjectState


class CreateTables(Operation):
    """Create each table once, with the fields, indexes and constraints that later operations add to it.

    Without this operation Django renders all related models again after each operation, which takes seconds
    for sixty tables.
    """

    reversible = False

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # rendered models are what each operation would render anew
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for operation in self.operations:
            if isinstance(operation, CreateModel):
                model = to_state.apps.get_model(app_label, operation.name)
                if self.allow_migrate_model(schema_editor.connection.alias, model):
                    schema_editor.create_model(model)

    def describe(self) -> str:
        return "Create all tables"
