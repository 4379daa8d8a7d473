import { join } from 'node:path'
import { document, schemas, type Schema } from './document.ts'
import { pythonOperations } from './python-operations.ts'
import { docstring, makePythonTypes, pascal } from './python-types.ts'
import { writeChanged } from './write-changed.ts'

const head = (about: string): string => `${docstring(`${about} Made of docs/openapi.json by \`npm run sdk\`.`, '')}

from __future__ import annotations
`

/** Writes the modules of the Python package that follow from the API description. */
export const writePython = (directory: string): void => {
  const types = makePythonTypes()
  for (const [name, schema] of Object.entries(schemas)) types.define(name, schema)
  const operations = `${head('One method for each operation.')}
from typing import Any, Dict, List, Literal, Optional, TYPE_CHECKING, Union

from . import models, transport
from .transport import segment

if TYPE_CHECKING:
    from typing_extensions import Unpack

# mypy: disable-error-code="no-any-return"


class Operations(transport.Transport):
    """Every operation of the API, by its \`operationId\`."""

${pythonOperations(types)}`
  const events = eventsModule(types)
  const models = `${head('What is sent and answered: TypedDicts by the names of the API description.')}
from typing import Any, Dict, List, Literal, TYPE_CHECKING, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
${types.definitions()}`
  const modules = { models, events, _operations: operations }
  for (const [name, text] of Object.entries(modules)) writeChanged(join(directory, `${name}.py`), text)
}

type Types = ReturnType<typeof makePythonTypes>

const eventsModule = (types: Types): string => {
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    const name = pascal(type)
    const data = dataOf(post?.requestBody?.content['application/json']?.schema ?? {})
    return {
      type,
      name,
      summary: post?.summary,
      data: types.typeOf(data, `${name}Data`).replaceAll(/"(\w+)"/g, 'models.$1'),
    }
  })
  const classes = events.map(({ name, data, summary }) => `\n\nclass ${name}(Event[${data}]):\n${docstring(summary)}\n`)
  return `${head('Every event of the catalogue: a class each.')}
from typing import Any, Dict, List, Literal, Mapping, Type, Union

from . import models
from .event import Event
${classes.join('')}

EVENTS: Mapping[str, Type[Event[Any]]] = {
${events.map(({ type, name }) => `    "${type}": ${name},`).join('\n')}
}
`
}

/** What an event carries, in whichever envelope. */
const dataOf = (schema: Schema): Schema => {
  const { payload, data } = schema.anyOf?.[0]?.properties ?? schema.properties ?? {}
  return payload ?? data ?? {}
}
