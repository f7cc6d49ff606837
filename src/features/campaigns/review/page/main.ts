import './sendReview.css';
import { connectHost } from '../../../../ui/page/channel.ts';
import { button, registerControls } from '../../../../ui/page/toolkit.ts';
import { startSendReview } from './page.ts';

registerControls(button);
startSendReview(connectHost());
