import './sendReview.css';
import { connectHost } from '../../webview/host.ts';
import { button, registerControls } from '../../webview/toolkit.ts';
import { startSendReview } from './page.ts';

registerControls(button);
startSendReview(connectHost());
