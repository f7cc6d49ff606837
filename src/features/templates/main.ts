/*
 * What activation doesn't need.
 */
export { templateDocuments } from './documents.ts';
export { createHandlers, createOperations } from './handlers.ts';
export { mappedTemplates } from './templates.ts';
export { templateTree } from './tree.ts';
