import{b as t}from"./part-S5LKMT4D.js";import"./part-UAVISQN5.js";t();
