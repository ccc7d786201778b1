/** Alternative cards, rendered by the server; of the stage the page uses only the full screen. */

import { setStage } from "../board/stage";

setStage();
