import{b as t}from"./part-YAPQW5Q4.js";import"./part-SYBL5IH7.js";t();
