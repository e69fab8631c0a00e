import ValiseCommands

CommandLineMain.run(
    RelayCommand.self, arguments: RelayCommand.withNamesLast(Array(CommandLine.arguments.dropFirst())))
