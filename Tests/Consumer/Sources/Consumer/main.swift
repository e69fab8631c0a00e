import Archives
import Database
import Files
import Foundation
import Secrets
import Sodium
import Valise

let folder = FilePath(CommandLine.arguments[1])
let passphrase = SharedSecret(try SecretBytes(copying: Array("correct horse battery staple".utf8)))
let context = OperationContext(folders: ValiseFolders(state: folder.appending("state")), keepsJobs: true) {
    event in
    if case .note(let note) = event { print(note.text) }
}

// Create an account, export it, import it elsewhere, and check what arrived.
let account = try AccountLocation.place(folder.appending("account"))
let created = try await CreateAccount(account, passphrase: { passphrase }).run(in: context)

let archive = folder.appending("account.zip")
let export = ExportArchive(of: account, to: .file(archive), passphrase: .secret(passphrase))
let plan = try await export.plan(in: context)
let exported = try await export.run(in: context)

let elsewhere = try AccountLocation.place(folder.appending("elsewhere"))
let imported = try await ImportArchive(
    .file(archive), into: elsewhere, passphrase: .secret(passphrase)
).run(in: context)
let report = try await CheckAccount(elsewhere.directory, passphrase: .secret(passphrase)).run(in: context)

// What the articles of the documentation show.
let names = try contactNames(of: elsewhere, passphrase: passphrase)
let media = try await CountMedia(account: elsewhere).run(in: context)
let left = try await finishEarlierWork(on: elsewhere, in: context)
let unfinished = try await resumeEarlierWork(on: elsewhere, in: context)

// What changes no account.
let overview = try await Overview.look(below: folder, [archive], in: context)
let migrations = try await drawSheet(
    of: elsewhere, to: folder.appending("sheet.svg"), passphrase: passphrase, in: context)
let watched = try await WatchJobs().run(in: context)
let relay = try await setUpRelay(in: folder.appending("relay"), in: context)
let kept = try await backUp(elsewhere, to: folder, keeping: 2, passphrase: passphrase)
let clip = folder.appending("clip")
let encrypted = try await EncryptFile(.path(archive), to: .path(clip, replacing: false)).run(in: context)
guard let keyFile = encrypted.keyFile else { fatalError("no key was written") }
let beginning = try await firstBytes(of: clip, keyFile: keyFile, count: 2)
let store = folder.appending("store")
try FileManager.default.createDirectory(atPath: store.string, withIntermediateDirectories: true)
let provided = try provide(archive, in: store)
for problem in overview.problems { print("problem: \(problem)") }

// The modules of the same names are the program's own.
let own = [Files.origin, Database.origin, Archives.origin, Sodium.origin, Secrets.origin]
guard created.encrypted, plan.entries == exported.entries, !imported.hasEntryErrors,
    report.verdict == .intact,
    own.allSatisfy({ $0.hasPrefix("the program's own") }), names.isEmpty, media.files.isEmpty, left.isEmpty
else { fatalError("\(created) \(plan) \(exported) \(imported) \(report) \(names) \(media) \(left)") }
guard overview.accounts.count == 2, overview.transfers.map(\.plan.route) == [.xftp], migrations.isEmpty,
    watched.left.isEmpty, unfinished.isEmpty, relay.hasPrefix("xftp://"), kept.removed == [],
    !kept.hasEntryErrors, beginning == Array("PK".utf8)
else { fatalError("\(overview) \(migrations) \(watched) \(unfinished) \(relay) \(kept) \(beginning)") }
guard provided.items.map(\.name) == ["one.zip"], !provided.changes.updated.isEmpty else {
    fatalError("\(provided)")
}
print("exported \(exported.entries) files, imported them, and found nothing wrong")
