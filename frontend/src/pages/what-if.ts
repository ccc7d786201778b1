/** What is tried is drawn by the server; of the stage the page has the whole screen. */

import { setStage } from "../board/stage";

setStage();
