import{b as t}from"./part-LNTQ4J5T.js";import"./part-MX3JEPID.js";t();
