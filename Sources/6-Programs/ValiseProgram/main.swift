import Valise
import ValiseCommands

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// A picture is read before anything of the commands begins.
if let status = PictureProcess.run(Array(CommandLine.arguments.dropFirst())) { exit(status) }
CommandLineMain.run(ValiseCommand.self)
