/**
 * What the package exports: the types that a pipeline of one's own is written against, and the errors. Everything else
 * is reached through the command line or over MCP.
 */
export { type ErrorCode, type ErrorKind, errorKinds, StichtagError } from './errors.ts'
export type {
  ArchiveDefinition,
  ColumnDefinition,
  ColumnType,
  ColumnValue,
  FieldReader,
  FormatDefinition,
  FullTextDefinition,
  GuardDefinition,
  Kit,
  Lookup,
  MapContext,
  OpenSanctionsOptions,
  PipelineDefinition,
  PipelineFile,
  Preamble,
  PreambleContext,
  RelatedDefinition,
  RemoteFile,
  ResolveContext,
  Row,
  SourceDefinition,
  TableDefinition,
  XmlElement,
} from './pipeline/types.ts'
