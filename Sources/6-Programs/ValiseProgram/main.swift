import ValiseCommands

CommandLineMain.run(ValiseCommand.self)
