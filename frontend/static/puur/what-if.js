import{b as t}from"./part-LTDNGMKR.js";import"./part-MXMYOU7J.js";t();
