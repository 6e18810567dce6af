// Tests of opening and closing: what is refused, with which message, and that refused files stay unchanged.
#include "db/store/connection.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "db/maintenance/check.hpp"
#include "db/store/fixture.hpp"

namespace warpwright::db {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// A closed database with one trial.
fs::path sound_file(const TemporaryFolder& folder, const std::string& name = "a.db") {
  Store store(folder / name);
  ExampleTrials example{store};
  store.add_trial(example.measured(32, 10), std::vector<double>(1000, 10.0));
  return store.path();
}

void run_sql(const fs::path& path, const std::string& sql) {
  SQLite::Database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
}

std::string opening(const fs::path& path, Mode mode = Mode::read_write) {
  return error_of([&] { Store(path, mode); });
}

TEST(Opening, LeavesASingleFileBehind) {
  TemporaryFolder folder;
  const fs::path path = sound_file(folder);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  EXPECT_EQ(bytes_of(path)[18], 1) << "the file is in WAL mode";
  EXPECT_THAT(check(Store(path, Mode::read_only)), IsEmpty());
}

TEST(Opening, UsesAWriteAheadLogWhileItIsOpen) {
  TemporaryFolder folder;
  Store store(folder / "a.db");
  ExampleTrials example{store};
  EXPECT_TRUE(fs::exists(folder / "a.db-wal"));
}

TEST(Opening, TakesNoLockOfSqliteForEachCall) {
  TemporaryFolder folder;
  Store store(folder / "a.db");
  EXPECT_EQ(sqlite3_db_mutex(store.connection().database().getHandle()), nullptr);
}

TEST(Opening, ClosingIsSafeBesideAnotherConnectionAndTheLastOneCleansUp) {
  TemporaryFolder folder;
  {
    Store last(folder / "a.db");
    {
      Store first(folder / "a.db");
      ExampleTrials example{first};
    }
    EXPECT_EQ(last.kernels().size(), 1u);
    EXPECT_TRUE(fs::exists(folder / "a.db-wal"));
  }
  EXPECT_FALSE(fs::exists(folder / "a.db-wal"));
}

TEST(Opening, SaysWhatIsWrongWithAPathAndWhatToDo) {
  TemporaryFolder folder;
  std::ofstream(folder / "file") << "";
  EXPECT_THAT(opening(folder.path()), AllOf(HasSubstr("is a directory"), HasSubstr("--db")));
  EXPECT_THAT(opening(folder / "no/such/a.db"), AllOf(HasSubstr("folder does not exist"), HasSubstr("mkdir -p")));
  EXPECT_THAT(opening(folder / "file/a.db"), HasSubstr("file is a file, so nothing can lie under it"));
  EXPECT_THAT(opening(folder / "file/b/a.db"), HasSubstr("file is a file, so nothing can lie under it"));
  EXPECT_THAT(opening(folder / "a.db", Mode::read_only), AllOf(HasSubstr("no such file"), HasSubstr("tune --db")));
  EXPECT_THAT(opening("/dev/null"), HasSubstr("not a regular file"));
  EXPECT_THAT(opening(""), HasSubstr("name is empty"));
  EXPECT_FALSE(fs::exists(folder / "a.db")) << "asking to read must not create";
}

TEST(Opening, TreatsAnEmptyFileAsANewDatabase) {
  TemporaryFolder folder;
  std::ofstream(folder / "a.db") << "";
  Store store(folder / "a.db");
  EXPECT_GT(ExampleTrials{store}.kernel, 0);
}

TEST(Opening, RefusesATextFileAndLeavesIt) {
  TemporaryFolder folder;
  std::ofstream(folder / "a.db") << "this is a letter to my aunt, and not a database at all";
  const std::string before = bytes_of(folder / "a.db");
  EXPECT_THAT(opening(folder / "a.db"), HasSubstr("not a database"));
  EXPECT_EQ(bytes_of(folder / "a.db"), before);
}

TEST(Opening, RefusesTheDatabaseOfAnotherProgramAndLeavesIt) {
  TemporaryFolder folder;
  run_sql(folder / "a.db", "CREATE TABLE recipe (name TEXT)");
  const std::string before = bytes_of(folder / "a.db");
  EXPECT_THAT(opening(folder / "a.db"), HasSubstr("not made by warpwright"));
  EXPECT_THAT(opening(folder / "a.db", Mode::read_only), HasSubstr("not made by warpwright"));
  EXPECT_EQ(bytes_of(folder / "a.db"), before);
}

// The log that a killed writer of the newer program left stays unchanged.
TEST(Opening, RefusesANewerSchemaWithALogAndLeavesBoth) {
  TemporaryFolder folder;
  const fs::path path = folder / "copy.db", log = folder / "copy.db-wal";
  {
    SQLite::Database live(sound_file(folder).string(), SQLite::OPEN_READWRITE);
    live.exec("PRAGMA journal_mode = WAL");
    live.exec("INSERT INTO schema VALUES (99, '9.9', '2030')");
    fs::copy_file(folder / "a.db", path);
    fs::copy_file(folder / "a.db-wal", log);
  }
  const std::string before = bytes_of(path), log_before = bytes_of(log);
  EXPECT_THAT(opening(path), HasSubstr("schema version 99"));
  EXPECT_EQ(bytes_of(path), before);
  EXPECT_EQ(bytes_of(log), log_before);
}

// Overwrites the beginning of every page in turn; on the first page, after the file's header.
TEST(Opening, RefusesADamagedFileAndLeavesIt) {
  TemporaryFolder folder;
  const fs::path path = sound_file(folder);
  const std::string sound = bytes_of(path);
  int refused = 0;
  for (std::size_t page = 0; page < sound.size(); page += 4096) {
    const std::size_t at = page == 0 ? 100 : page;
    std::string damaged = sound;
    damaged.replace(at, 200, 200, '\xa5');
    std::ofstream(path, std::ios::binary) << damaged;
    try {
      Store store(path);
      EXPECT_THAT(check(store), testing::Not(IsEmpty())) << "damage at byte " << at << " was not seen at all";
    } catch (const Damaged& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("damaged"), HasSubstr("backup")));
      EXPECT_EQ(bytes_of(path), damaged) << "damage at byte " << at;
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
}

TEST(Opening, RefusesATruncatedFileAndLeavesIt) {
  TemporaryFolder folder;
  const fs::path path = sound_file(folder);
  fs::resize_file(path, fs::file_size(path) / 2);
  const std::string before = bytes_of(path);
  EXPECT_THAT(opening(path), HasSubstr("damaged"));
  EXPECT_EQ(bytes_of(path), before);
}

TEST(Opening, AnImmutableFileCanBeReadAndSaysWhyItCannotBeWritten) {
  TemporaryFolder folder;
  const fs::path path = sound_file(folder);
  const std::string uri = "file:" + path.string() + "?immutable=1";
  EXPECT_THAT(opening(uri), AllOf(HasSubstr("cannot be written"), HasSubstr("read-only")));
  EXPECT_EQ(Store(uri, Mode::read_only).kernels().size(), 1u);
}

// Runs as nobody, because root may write everywhere.
TEST(Opening, ReadsAFileInAReadOnlyFolderInAnyJournalMode) {
  TemporaryFolder folder;
  const fs::path plain = sound_file(folder, "plain.db");
  const fs::path logged = sound_file(folder, "logged.db");
  run_sql(logged, "PRAGMA journal_mode = WAL");
  ASSERT_EQ(bytes_of(logged)[18], 2);
  for (const fs::path& path : {plain, logged}) chmod(path.c_str(), 0444);
  chmod(folder.path().c_str(), 0555);
  for (const fs::path& path : {plain, logged}) {
    const int status = status_in_child([&] {
      if (getuid() == 0 && setuid(65534) != 0) _exit(1);
      if (Store(path, Mode::read_only).kernels().size() != 1) _exit(2);
      try {
        Store writable(path);
        _exit(3);
      } catch (const Error& error) {
        if (std::string(error.what()).find("cannot be written") == std::string::npos) _exit(4);
      }
    });
    EXPECT_EQ(status, 0) << path << ": exit " << WEXITSTATUS(status);
  }
  chmod(folder.path().c_str(), 0755);
}

TEST(Opening, AReadOnlyStoreRefusesToWrite) {
  TemporaryFolder folder;
  Store store(sound_file(folder), Mode::read_only);
  EXPECT_THAT(error_of([&] { store.upsert(Board{.model = "x"}); }), HasSubstr("cannot be written"));
}

TEST(Opening, ReadingSeesRowsCommittedMeanwhile) {
  TemporaryFolder folder;
  Store writer(folder / "a.db");
  const Store reader(folder / "a.db", Mode::read_only);
  EXPECT_THAT(reader.kernels(), IsEmpty());
  ExampleTrials example{writer};
  EXPECT_EQ(reader.kernels().size(), 1u);
}

TEST(Writing, OnAFullDiskSaysSoAndKeepsEarlierRows) {
  TemporaryFolder folder;
  Store store(folder / "a.db");
  ExampleTrials example{store};
  const Id kept = store.add_trial(example.measured(16, 1));
  store.connection().execute("PRAGMA max_page_count = 60");
  const std::string error = error_of([&] {
    for (int i = 0; i < 1000; ++i) store.add_trial(example.measured(i, 1), std::vector<double>(1000, 1.0));
  });
  EXPECT_THAT(error, AllOf(HasSubstr("disk is full"), HasSubstr("same command again")));
  EXPECT_EQ(store.trial(kept).id, kept);
  EXPECT_THAT(check(store), IsEmpty());
  store.connection().execute("PRAGMA max_page_count = 100000");
  EXPECT_GT(store.add_trial(example.measured(5000, 1), std::vector<double>(1000, 1.0)), kept);
}

TEST(DefaultFolder, IsMadeForWriting) {
  TemporaryFolder folder;
  const int status = status_in_child([&] {
    setenv("WARPWRIGHT_DB", (folder / "new/folder/w.db").c_str(), 1);
    Store store(default_path());
    ExampleTrials example{store};
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(folder / "new/folder/w.db"));
}

}  // namespace
}  // namespace warpwright::db
