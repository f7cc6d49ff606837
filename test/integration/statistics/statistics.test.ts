import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { connectService, type TestService } from '../service.ts';

describe('statistics of a campaign', () => {
  for (const profile of ['documented', 'acymailing'] as const) {
    describe(`on a service of the profile ${profile}`, () => {
      let service: TestService;
      const show = async (id: number): Promise<string> => {
        await vscode.commands.executeCommand('mailing.campaign.showStatistics', { connection: service.connection, id });
        return vscode.window.activeTextEditor?.document.getText() ?? '';
      };

      before(async () => {
        service = await connectService({ profile });
      });
      after(() => service.end());

      it('are read from all four operations', async () => {
        const [sent] = await service.other.getCampaigns({ filters: { sent: 1 }, limit: 1 });
        assert.ok(sent);
        const text = await show(sent.id);
        for (const part of [/Overview\s+mail id/u, /Clicks by link\s+id/u, /Clicks by user\s+url id/u, /Recipients \(the first 100\)\s+user id/u]) assert.match(text, part);
      });

      it('say that nothing was sent yet', async () => {
        const { campaignId } = await service.other.createOrUpdateCampaign({ name: 'Unsent', subject: 'S' });
        const text = await show(campaignId);
        for (const part of ['Nothing was sent yet', 'No link was clicked yet', 'Nobody clicked yet', 'Nobody got it yet']) assert.ok(text.includes(part), `${part}: ${text}`);
      });

      it('show the rest where one of the operations fails', async () => {
        const [sent] = await service.other.getCampaigns({ filters: { sent: 1 }, limit: 1 });
        assert.ok(sent);
        const fault = service.sandbox.faults.add({ kind: 'html', operation: 'getCampaignStatisticsClicks' });
        const text = await show(sent.id);
        fault.remove();
        assert.match(text, /Clicks by user\s+Reading/u);
        assert.match(text, /Recipients \(the first 100\)\s+user id/u);
      });
    });
  }
});
