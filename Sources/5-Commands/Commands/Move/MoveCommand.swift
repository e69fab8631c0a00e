import ArgumentParser

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an account to another machine, proved and without a second copy in use.",
        discussion: """
            'send' puts the account on relays and shows a link, 'receive' on the other machine puts it in place there, \
            and both show eight words. Where they are the same, everything arrived; 'finish' takes the words, deletes \
            what is on the relays, and takes the account here out of use. Until then the account here is whole, and \
            'cancel' undoes everything.

            The link is of the form of the official apps: they receive it ("Migrate from another device"), and links \
            that they show are received here.

            Each step may be interrupted on either machine: the same command goes on. 'status' tells where moves are.
            """,
        subcommands: [
            MoveSend.self, MoveReceive.self, MoveFinish.self, MoveCancel.self, MoveStatus.self, MoveLink.self,
            MoveRestore.self, MoveRemove.self, MoveForget.self,
        ])
}
