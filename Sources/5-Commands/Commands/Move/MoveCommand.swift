import ArgumentParser

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move an account to another machine and verify it.",
        discussion: """
            'send' uploads the account to relays and shows a link. 'receive' imports it on the other machine. Both \
            show eight words. If the words match, everything arrived. 'finish' then takes the words, deletes the \
            upload from the relays and retires the account here, so that only one copy is in use. Until then the \
            account here is intact, and 'cancel' undoes everything.

            Links have the format of the official apps. The apps can receive them ("Migrate from another device"), and \
            'receive' accepts links from the apps.

            Each step can be interrupted on either machine. Repeat the command to resume it. 'status' shows all moves.
            """,
        subcommands: [
            MoveSend.self, MoveReceive.self, MoveFinish.self, MoveCancel.self, MoveStatus.self, MoveLink.self,
            MoveRestore.self, MoveRemove.self, MoveForget.self,
        ])
}
