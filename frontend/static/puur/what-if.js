import{b as t}from"./part-CWO6Z52E.js";import"./part-FV5KESJO.js";t();
