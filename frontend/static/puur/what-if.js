import{b as t}from"./part-ZZK3VQAG.js";import"./part-PP3QBG3A.js";t();
