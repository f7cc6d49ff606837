import assert from 'node:assert/strict';
import { describeCondition, suggestConditions } from '../../../../../src/features/language/outlook/conditionTexts.ts';

describe('A condition', () => {
  const describeHidden = (condition: string) => describeCondition({ condition, isRevealed: false });

  it('is described by the clients that show its content', () => {
    assert.match(describeHidden('mso'), /: 2000, 2002, .+, and 2016 or later\. All other mail clients skip it\.$/u);
    assert.equal(describeHidden('gte mso 9'), describeHidden('mso'));
    assert.match(describeHidden('mso 16'), /: 2016 or later\. All/u);
    assert.match(describeHidden('(gt mso 14)&(lt mso 16)'), /: 2013\. All/u);
    assert.match(describeHidden('lte mso 11'), /: 2000, 2002, and 2003\. All/u);
    assert.equal(
      describeCondition({ condition: '!mso', isRevealed: true }),
      'Versions of Outlook for Windows that show this code: none. All other mail clients show it.',
    );
  });

  it('is suggested with its description', () => {
    const suggested = new Map(suggestConditions());
    assert.equal(suggested.get('if mso'), describeHidden('mso'));
    assert.match(suggested.get('if !mso') ?? '', /All other mail clients show it/u);
  });
});
