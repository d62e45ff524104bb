/**
 * What the package exports: the types that a pipeline of one's own is written against, and the errors. Everything else
 * is reached through the command line or over MCP.
 */
export { type ErrorCode, type ErrorKind, errorKinds, StichtagError } from './errors.ts'
export type {
  ColumnDefinition,
  FieldReader,
  FullTextDefinition,
  GuardDefinition,
  Kit,
  MapContext,
  PipelineDefinition,
  PipelineFile,
  RelatedDefinition,
  Row,
  SourceDefinition,
  TableDefinition,
} from './pipeline/types.ts'
