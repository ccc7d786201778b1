import{b as t}from"./part-4D34WJRT.js";import"./part-55J3RQMI.js";t();
