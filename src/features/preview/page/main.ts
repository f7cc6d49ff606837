import './preview.css';
import { Channel } from '../../../ui/page/channel.ts';
import { button, registerControls } from '../../../ui/page/toolkit.ts';
import type { FromPage, ToPage } from '../protocol.ts';
import { Comparison } from './comparison.ts';
import { Pictures } from './pictures.ts';
import { PreviewPage, type PreviewPageState } from './previewPage.ts';

registerControls(button);
const channel = new Channel<ToPage, FromPage, PreviewPageState>();
const pictures = new Pictures((paths) => channel.post({ type: 'pictures', paths }));
const preview = new PreviewPage(channel, pictures);
let comparison: Comparison | undefined;

channel.start({
  ...preview.handlers,
  compare: (versions) => (comparison ??= new Comparison(pictures)).show(versions),
  pictures: (message) => {
    pictures.set(message.pictures);
    (comparison ?? preview.views).update();
  },
});
