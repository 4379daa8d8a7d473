import { CamelCasePlugin, createQueryId, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'

/** Columns are snake_case in SQL and camelCase in TypeScript; what is inside a JSON column is left as it is. */
class ColumnNames extends CamelCasePlugin {
  inSql(name: string): string {
    return this.snakeCase(name)
  }

  inTypeScript(name: string): string {
    return this.camelCase(name)
  }
}
export const columnNames = new ColumnNames()

/** Changes the names of a query where they are written, not by making a second tree of it first. */
export class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(columnNames.inSql(identifier))
  }
}

const compiler = new SnakeCaseCompiler()

/** A part of statements without parameters as its text, made once: to write it each time can take longer than to run it. */
export const fixed = <T>(part: RawBuilder<T>): RawBuilder<T> =>
  sql.raw(compiler.compileQuery(part.toOperationNode(), createQueryId()).sql)
