import './sendReview.css';
import { Channel } from '../../../../ui/page/channel.ts';
import { button, registerControls } from '../../../../ui/page/toolkit.ts';
import { startSendReview } from './page.ts';

registerControls(button);
startSendReview(new Channel());
