"""The controller: the table, the laws, the dealer, the record and the command line."""
