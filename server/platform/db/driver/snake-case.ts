import { CamelCasePlugin, PostgresQueryCompiler, type RootOperationNode, type PluginTransformQueryArgs } from 'kysely'

/**
 * Columns are snake_case in SQL and camelCase in TypeScript; what is inside a JSON column is left as it is. The names of a
 * query are changed where they are written, not by making a second tree of it first.
 */
class RowNames extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  inSql(name: string): string {
    return this.snakeCase(name)
  }
}
const names = new RowNames({ maintainNestedObjectKeys: true })

export const plugins = [names]

export class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(names.inSql(identifier))
  }
}
