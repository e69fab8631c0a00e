-- Takes away servers, operators and conditions of use.

DROP TABLE known_servers;
DROP TABLE protocol_servers;
DROP TABLE operator_usage_conditions;
DROP TABLE usage_conditions;
DROP TABLE server_operators;
