/*
 * What activation doesn't need.
 */
export { campaignDocuments } from './documents.ts';
export { createHandlers, createOperations } from './handlers.ts';
export { CampaignFormSession } from './host/session.ts';
export { ListNameProvider } from './listNames.ts';
export { showDraftWarning } from './send.ts';
export { createCampaignTree } from './tree.ts';
export { findCampaignReferences } from './picker.ts';
